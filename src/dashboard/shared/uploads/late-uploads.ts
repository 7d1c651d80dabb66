// What is loaded when there is anything to upload, in one piece.
export { UploadPlace } from './upload-place.tsx'
export { addFiles, uploads } from './uploads.ts'
