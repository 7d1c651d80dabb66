import type { openingRefusals } from './endpoints/sealed-copies.ts'

// Sentences of replies that are no refusals. The dashboard says them too.

/** Why a document has no pages, or cannot be marked: `reason`, and its code in `reason_code`. */
export const DOCUMENT_REASONS = {
  encrypted: 'The document is protected by a password.',
  damaged: 'The document is damaged and cannot be read.',
  damaged_or_misnamed: 'The document is damaged, or of another kind than its name says.',
  damaged_or_excessive: 'The document is damaged, or asks for more than it may have.',
  no_pages: 'The document has no pages.',
  dynamic_form: 'The document is a dynamic XFA form, whose pages only programs such as Adobe Acrobat make.',
  too_many_pages: 'The document has too many pages.',
  too_many_pixels: 'The image has more pixels than can be shown.',
  too_large: 'A document of more than 2 GB cannot be shown.',
  too_large_to_convert: 'The document is too large for a preview.',
  reading_too_long: 'The document took too long to read.',
  converting_too_long: 'The document took too long to convert.',
  needs_too_much_memory: 'The document needs more memory than it may have.',
  too_little_memory: 'The server had too little memory for this document, in several attempts.',
  attempts_failed: 'It could not be read, in several attempts.',
  unreadable: 'The file could not be read.',

  no_preview: 'There is no preview for this type of file.',
  no_preview_of_archive:
    'There is no preview of an archive. The files in it have one once they are uploaded by themselves.',
  no_preview_of_drawing: 'There is no preview of AutoCAD drawings. A PDF or DXF of the drawing has one.',
  no_preview_of_recording: 'There is no preview of videos and recordings.',
  no_converter: 'There is no converter for this type.',
  no_libreoffice: 'A preview of this type needs LibreOffice, which is not installed.',
  no_heif_convert: 'A preview of this type needs heif-convert, which is not installed.',
  no_sandbox: 'A preview of this type needs a sandbox for the converter: bubblewrap is absent or may not run here.',
  cannot_be_marked: 'A file of this type cannot carry a watermark.',

  infected: 'The file is infected. It can be deleted, and nothing else.',
  scanner_away: 'The malware scanner does not answer.',
  larger_than_scanned: 'It is larger than the scanner takes.',
  more_bytes_than_scanned: 'It has more than the {bytes} bytes that the scanner takes.',
  not_scanned_wholly: 'The scanner could not look into all of it ({found}).',
} as const

export type DocumentReason = keyof typeof DOCUMENT_REASONS

/** What the refused reader of a sealed copy is told. No sentence reveals for whom the copy was made. */
export const OPENING_REFUSALS = {
  other_person: 'This copy was made for somebody else. Ask for one of your own.',
  revoked: 'This copy was revoked.',
  not_member: 'You are not a member of its workspace any more.',
  terms_not_accepted: 'The terms of its workspace await your answer. Open the workspace first.',
  deleted: 'The file was deleted.',
  infected: 'The file was found infected.',
  access_ended: 'The access of your group has ended.',
  no_right: 'You may not download this file any more.',
  drm_off: 'Opening sealed documents was switched off for your group.',
  drm_expired: 'The last day on which it could be opened has passed.',
} as const satisfies Record<(typeof openingRefusals)[number], string>

/** The roles of the people whom a visitor of the demo can continue as. */
export const DEMO_ROLES = {
  seller_of_organization: 'Seller – runs the organization',
  seller_of_deal_room: 'Seller – runs the deal room',
  buyer: 'Buyer – reads with a watermark, hands in offers',
  lender: 'Lender – sees the finances, gets sealed files',
  counsel: 'Counsel – works on the legal documents',
} as const

export type DemoRole = keyof typeof DEMO_ROLES
export const demoRoles = Object.keys(DEMO_ROLES) as DemoRole[]

export const isDemoRole = (name: string | null): name is DemoRole => name !== null && Object.hasOwn(DEMO_ROLES, name)
