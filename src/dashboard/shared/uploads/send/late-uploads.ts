// The modules that are loaded together once there is something to upload.
export { mayStop } from '../tray/stop-question.ts'
export { UploadPlace } from '../tray/upload-place.tsx'
export { addFiles, uploads } from '../uploads.ts'
export { unreadableWords } from './unreadable-words.ts'
