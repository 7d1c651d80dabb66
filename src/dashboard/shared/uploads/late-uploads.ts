// What is loaded when there is anything to upload, in one piece.
export { mayStop } from './stop-question.ts'
export { UploadPlace } from './upload-place.tsx'
export { addFiles, uploads } from './uploads.ts'
