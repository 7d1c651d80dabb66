/** Thrown by a comparison that is stopped. Apart from `compare.ts`, which is loaded only when it is needed. */
export class TookTooLong extends Error {}
