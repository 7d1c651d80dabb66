// The modules that are loaded together once there is something to upload.
export { mayStop } from './stop-question.ts'
export { UploadPlace } from './upload-place.tsx'
export { addFiles, uploads } from './uploads.ts'
