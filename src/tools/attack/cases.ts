/**
 * Attack and fault cases, each listed once. A test covers a case when its title, or the title of its `describe`, begins
 * with the id and a colon: `it('K1: a __proto__ name part is refused')`. `npm run test:attack` finds tests by title.
 */
export interface AttackCase {
  id: string
  /** The attack, or the failure. */
  what: string
  outcome: string
  /** Why the case, or a part of it, is not automated here. Required for a case without tests. */
  notAutomated?: string
}

export const FAMILIES: Record<string, string> = {
  A: 'Signing, tokens, keys',
  B: 'Object-level authorization',
  C: 'Meaning of permissions',
  D: 'Derived artefacts',
  E: 'Upload and content',
  F: 'Converters',
  G: 'Browser',
  H: 'Bulk download',
  I: 'Audit and exports',
  J: 'Abuse and recovery',
  K: 'Found by attacks on the built product',
}

const REFUSED = 'Refused with 401 in the shape of the contract; nothing is read or changed.'
const HIDDEN = 'Refused with 404 in the words of an absent object; nothing is changed.'

export const CASES: AttackCase[] = [
  { id: 'A1', what: 'A request signed with a missing, empty or all-zero secret.', outcome: REFUSED },
  {
    id: 'A2',
    what: 'An expiry in the past, beyond an hour ahead, or written as a float, in hex, with sign, zeros or spaces, at 2^31 or 2^53.',
    outcome: REFUSED,
  },
  {
    id: 'A3',
    what: 'Authentication headers sent twice, folded over lines, or with another spelling of "Method=".',
    outcome: REFUSED,
  },
  { id: 'A4', what: 'A signature in upper case, cut short, padded or in other digits.', outcome: REFUSED },
  { id: 'A5', what: 'Key and token cut at another place, so that the signed text stays the same.', outcome: REFUSED },
  { id: 'A6', what: "One user's valid signature with another user's token.", outcome: REFUSED },
  {
    id: 'A7',
    what: 'Captured headers replayed with another method, path or body while they are valid.',
    outcome:
      'Works within the window of the signature, a known limit of the contract: the window is capped, and no log, reply or URL holds a signature.',
  },
  {
    id: 'A8',
    what: 'Guessing a signature byte by byte from the time of the refusal.',
    outcome: 'Signatures are compared in constant time; an unknown key costs the same work as a known one.',
    notAutomated:
      'Timing itself is not measured: a busy machine drowns nanoseconds. Tests check that the comparison is timingSafeEqual and runs for unknown keys too.',
  },
  { id: 'A9', what: 'A rotated secret used again.', outcome: 'The old secret is refused from the next request on.' },
  {
    id: 'A10',
    what: 'A personal key that expired, was revoked, lost its scope, its owner, its workspace or the API access of the workspace.',
    outcome: 'Refused with the next request.',
  },
  {
    id: 'A11',
    what: 'Looking for the secret of a key in replies, logs, errors, the audit trail and exports.',
    outcome: 'Shown once when it is made; kept encrypted; nowhere else.',
  },
  {
    id: 'A12',
    what: 'A personal key that widens its own scopes, or names the key of another user.',
    outcome: 'Keys do not change keys; the keys of others are absent.',
  },
  {
    id: 'A13',
    what: 'The signing proxy asked with a foreign Origin or Host, an absolute target, "..", encoded slashes, an upgrade, or signing headers of the client.',
    outcome: 'Refused, or signed afresh for the session alone; never a signer for another page.',
  },

  { id: 'B1', what: 'Every id of one workspace sent with the id of another, or of none.', outcome: HIDDEN },
  {
    id: 'B2',
    what: 'Walking the numbers around known ids.',
    outcome: 'Absent and forbidden objects give the same status and the same body.',
  },
  { id: 'B3', what: 'A group, folder or file that does not belong to the parent named with it.', outcome: HIDDEN },
  {
    id: 'B4',
    what: 'Every endpoint called by every role, by removed and by expired members, and without authentication.',
    outcome: 'The outcome of the access matrix (roles.md); a former member gets what an outsider gets.',
  },
  {
    id: 'B5',
    what: 'Fields that a call does not take: owner, workspace, id, protections, admin.',
    outcome: 'Ignored: the reply and the stored object are the same as without them.',
  },
  { id: 'B6', what: 'A batch with one foreign id.', outcome: 'The foreign id is left out as an absent one is.' },
  {
    id: 'B7',
    what: 'Reading the tokens of other users from lists of members.',
    outcome: 'Only organization admins and the user get a token.',
  },
  {
    id: 'B8',
    what: 'Removing a workspace admin without being one, the last admin, or oneself.',
    outcome: 'Refused as the contract says; a workspace never loses its last admin by accident.',
  },
  {
    id: 'B9',
    what: 'Adding addresses to learn which have an account, or to send mail.',
    outcome: 'The same answer for known and unknown addresses; one invitation, and limits on them.',
  },
  { id: 'B10', what: "Another team's or organization's watermark named by id.", outcome: HIDDEN },
  {
    id: 'B11',
    what: 'Deleting a user without being an organization admin; what a deleted user still holds.',
    outcome: 'Refused; keys, downloads, sessions and URLs of a deleted user end at once.',
  },
  {
    id: 'B12',
    what: 'The root folder (id 0) by somebody who is not an admin, or moved, copied and deleted.',
    outcome: 'Refused with 403, 404 or 422.',
  },
  {
    id: 'B13',
    what: 'Numbers beyond the range, fractions, exponents, texts, lists for scalars, and parameters sent twice.',
    outcome: 'Read as the contract says or refused with 400, 404 or 422; never 500.',
  },
  {
    id: 'B14',
    what: 'Previews, viewing as somebody else and their URLs used for more than looking.',
    outcome: 'The same check as the data; read-only; URLs of preview pages only.',
  },

  {
    id: 'C1',
    what: 'Random trees with random grants and revocations.',
    outcome: 'The evaluator in SQL equals a naive one.',
  },
  {
    id: 'C2',
    what: 'Download without view, upload without view, view taken from what has download.',
    outcome: 'Download and upload imply view; revoking view takes them along.',
  },
  {
    id: 'C3',
    what: 'The mixed flags of folders after any sequence of changes.',
    outcome: 'Equal to those counted from the leaves.',
  },
  { id: 'C4', what: 'A child read through its parent and on its own.', outcome: 'Both say the same.' },
  { id: 'C5', what: 'Viewing as a member or group, against entering as one.', outcome: 'Both see the same.' },
  {
    id: 'C6',
    what: 'A folder without view looked for in listings, counts, zips, search, activities, links and destinations.',
    outcome: 'Absent, but for its name where it leads to something granted.',
  },
  {
    id: 'C7',
    what: 'Copies and moves while rights change.',
    outcome: 'The rights of the new parent, never those of half a change.',
  },
  {
    id: 'C8',
    what: 'Two admins change the rights of the same subtree at the same time.',
    outcome: 'One after the other: the result is that of one of the two orders.',
  },
  {
    id: 'C9',
    what: 'A right revoked while a viewer, a queued download, an expiring URL, a search or a stream is open.',
    outcome: 'The next request is refused; streams end within five seconds.',
  },
  {
    id: 'C10',
    what: 'Access that ends, at the very instant.',
    outcome: 'Over from 00:00 UTC of its date, by the clock of the request.',
  },
  { id: 'C11', what: 'Undoing a change of rights.', outcome: 'Exactly the former effective rights.' },
  {
    id: 'C12',
    what: 'Upgrading a database with rights, trash and documents.',
    outcome: 'The same effective rights before and after.',
  },
  { id: 'C13', what: 'A user in several groups.', outcome: 'Rights are the union, protections the strictest.' },
  {
    id: 'C14',
    what: 'An item of the same name, moved, restored or in a new version.',
    outcome: 'No rights are left over from what was there before.',
  },

  {
    id: 'D1',
    what: 'Page image, thumbnail, search snippet, zip member, activity, event, mail and export of what may not be seen.',
    outcome: 'Each checks the rights at the time it is delivered.',
  },
  { id: 'D2', what: 'A version, page number or size that selects an unmarked or foreign page.', outcome: 'Absent.' },
  {
    id: 'D3',
    what: 'Pages of all types, sizes, rotations, colours and names that might carry no mark.',
    outcome: 'The mark is in the pixels, or there is no page.',
  },
  {
    id: 'D4',
    what: 'A clean page from a cache, or the page of another user by its ETag.',
    outcome: 'Never shared: private, no-store, and tags of the user.',
  },
  { id: 'D5', what: 'HEAD and ranges of page images.', outcome: 'The same marked bytes.' },
  {
    id: 'D6',
    what: 'A name that blanks, hides or forges the mark.',
    outcome: 'The mark says who it was, by facts of the server.',
  },
  {
    id: 'D7',
    what: 'A forged X-Forwarded-For in the mark.',
    outcome: 'The address of the connection, or what a trusted proxy says.',
  },
  { id: 'D8', what: 'An expiring URL changed, used by another action, or after its right ended.', outcome: HIDDEN },
  { id: 'D9', what: 'Pages and texts of a file that was deleted or moved.', outcome: 'Gone with the file.' },
  { id: 'D10', what: 'Expiring URLs in logs and referrers.', outcome: 'Not logged; no-referrer.' },
  { id: 'D11', what: 'The single-file endpoint for a file under DRM.', outcome: 'Refused: sealed copies only.' },
  {
    id: 'D12',
    what: 'Print, save, drag and copy in the viewer.',
    outcome: 'The marked pixels.',
    notAutomated: 'Print and drag need a desktop; tests check that the only pixels in the page are marked ones.',
  },

  {
    id: 'E1',
    what: 'Hostile names of files and folders.',
    outcome: 'Kept as text or refused; never a path, a device or a formula.',
  },
  { id: 'E2', what: 'A path in a dropped folder or in a file name.', outcome: 'A name, never a path.' },
  {
    id: 'E3',
    what: 'Archives, images and documents that unpack to a multiple.',
    outcome: 'Stopped at the limits; the document is marked as not readable.',
  },
  {
    id: 'E4',
    what: 'SVG, HTML, XML and PDF with scripts, and files of two types.',
    outcome: 'Saved, never run: attachment, sandbox, nosniff.',
  },
  {
    id: 'E5',
    what: 'Links with javascript: or data: in documents.',
    outcome:
      'Not followed: the viewer and sealed copies show images, and stamped PDFs keep links to pages, web and mail addresses.',
  },
  {
    id: 'E6',
    what: 'Chunks that lie, overlap, come twice, late or from somebody else.',
    outcome: 'Whole and once, or not at all.',
  },
  {
    id: 'E7',
    what: 'Uploading over a name that the uploader may not see.',
    outcome: 'Nothing is told about what is there.',
  },
  {
    id: 'E8',
    what: 'Malware in a file, a chunk, a version; a scanner that is down.',
    outcome: 'Held until scanned, refused on every way when infected.',
  },
  {
    id: 'E9',
    what: 'A body that is shorter or longer than it says, slow, empty or never ending.',
    outcome: 'Refused or ended in time; the connection stays usable or closes.',
  },

  {
    id: 'F1',
    what: 'Documents that fetch URLs, files, fonts or templates while they are converted.',
    outcome: 'No network and no files in the sandbox.',
  },
  {
    id: 'F2',
    what: 'Redirects, odd spellings of addresses and DNS tricks.',
    outcome: 'The service fetches no URL from a document.',
  },
  {
    id: 'F3',
    what: 'Documents that burn CPU, memory, time or processes.',
    outcome: 'Ended at the limits; the queue goes on.',
  },
  { id: 'F4', what: 'Encrypted, broken and unusual PDFs.', outcome: 'A clear state, never the raw file.' },
  {
    id: 'F5',
    what: 'Temporary files after a crash, or of another tenant.',
    outcome: 'Swept; readable by the service alone.',
  },
  { id: 'F6', what: 'A mutated corpus through all readers.', outcome: 'No crash of the service, no hang.' },

  { id: 'G1', what: 'Markup in every text field, on every page, in mails and exports.', outcome: 'Shown as text.' },
  { id: 'G2', what: 'Inline scripts and eval in the dashboard.', outcome: 'Forbidden by the content security policy.' },
  { id: 'G3', what: 'Other sites that post, frame, read or redirect.', outcome: 'Refused.' },
  {
    id: 'G4',
    what: 'Keys in the browser, and what stays after signing out.',
    outcome: 'No key is there; signing out clears what was shown.',
  },
  { id: 'G5', what: 'The back button after signing out or losing a right.', outcome: 'Nothing is shown.' },
  { id: 'G6', what: 'Two tabs with different users.', outcome: 'No tab shows the data of the other user.' },
  { id: 'G7', what: 'Hostile values in the address.', outcome: 'Ignored or told as not found.' },
  { id: 'G8', what: 'Removing overlays with the developer tools.', outcome: 'Nothing cleaner below.' },

  {
    id: 'H1',
    what: 'Zips beyond 4 GiB and 65,535 entries, with odd and equal names.',
    outcome: 'Opened by several readers.',
  },
  {
    id: 'H2',
    what: 'A right revoked before or while a zip is streamed.',
    outcome: 'Refused, or visibly broken off; never short and successful.',
  },
  {
    id: 'H3',
    what: 'A download resumed after a break.',
    outcome: 'The identical bytes; If-Range on a change gives the whole.',
  },
  { id: 'H4', what: "Another user's, a deleted or an expired download.", outcome: HIDDEN },
  { id: 'H5', what: 'Member names that leave the folder when they are unpacked.', outcome: 'Names are made harmless.' },
  {
    id: 'H6',
    what: 'Many and large zips with slow readers.',
    outcome: 'Flat memory; nothing is left when a reader goes.',
    notAutomated:
      '100 GB do not fit into a test: tests watch memory and open files at 20 slow readers, `npm run bench:zip` measures large zips.',
  },
  { id: 'H7', what: 'Names of hidden items in the list of what is left out.', outcome: 'Not named.' },

  {
    id: 'I1',
    what: 'A record of the trail changed, dropped, swapped, doubled or cut.',
    outcome: 'The verifier names the first bad one.',
  },
  { id: 'I2', what: 'The trail rolled back to an older head.', outcome: 'Found by whoever keeps a newer head.' },
  { id: 'I3', what: 'Every call that changes something, and every refused one.', outcome: 'Exactly one entry.' },
  {
    id: 'I4',
    what: 'Line breaks and control characters in names, in trail, logs and mails.',
    outcome: 'Encoded; one line stays one line.',
  },
  { id: 'I5', what: 'Formulas in exported tables.', outcome: 'Text.' },
  {
    id: 'I6',
    what: 'Deleting what the trail is about; erasing a person.',
    outcome: 'The trail stays and verifies; the person is gone from it.',
  },
  { id: 'I7', what: 'Reading about items that the reader may not see.', outcome: 'Not told.' },
  { id: 'I8', what: 'A clock that is set back.', outcome: 'The trail still verifies and keeps its order.' },

  {
    id: 'J1',
    what: 'Guessing keys, codes and members; floods by one key, user or address.',
    outcome: '429 with Retry-After; others are served.',
  },
  {
    id: 'J2',
    what: 'Page sizes, deep pages and search words out of bounds.',
    outcome: 'Refused or empty, in bounded time.',
  },
  {
    id: 'J3',
    what: 'Rights of 10,000 folders set while others read.',
    outcome: 'Readers see before or after, and are not held up.',
  },
  {
    id: 'J4',
    what: 'Database, storage or a worker killed in the middle.',
    outcome: 'Wholly done or not at all; nothing acknowledged is lost.',
  },
  {
    id: 'J5',
    what: 'Restoring a backup.',
    outcome: 'The same rights and the same head of the trail.',
  },
  { id: 'J6', what: 'A full disk.', outcome: '507; nothing is damaged; goes on when there is room.' },
  { id: 'J7', what: 'Clocks of nodes that differ.', outcome: 'Within the stated bounds.' },

  {
    id: 'K1',
    what: '`__proto__`, `constructor` or `prototype` as a part of a name in any form of input.',
    outcome: 'Object.prototype is untouched, and no other request is changed.',
  },
  {
    id: 'K2',
    what: 'Texts that make a regular expression exponential or polynomial.',
    outcome: 'Every expression is linear for the lengths it gets.',
  },
  { id: 'K3', what: 'Costly work before a limit is checked.', outcome: 'The event loop is not blocked beyond 50 ms.' },
  {
    id: 'K4',
    what: 'Taking an address before its owner, or forging a name.',
    outcome: 'A change counts once the new address is proved.',
  },
  { id: 'K5', what: 'Cutting the mark out of a stamped PDF.', outcome: 'The mark survives, or the page is gone.' },
  { id: 'K6', what: '100 hostile documents before an honest one.', outcome: 'The honest one is ready in seconds.' },
  {
    id: 'K7',
    what: 'Titles and existence of files through sealed copies.',
    outcome: 'Neither is told to somebody who may not view the file.',
  },
  {
    id: 'K8',
    what: 'An expiring URL or stream after its scope, secret, right, folder or session ended.',
    outcome: HIDDEN,
  },
  {
    id: 'K9',
    what: 'Every number as fraction, exponent, 2^31, 2^53 or NaN; every day and time in the first and last years and zones.',
    outcome: 'Never 500.',
  },
  { id: 'K10', what: 'Forwarded headers straight at the service.', outcome: 'Believed from trusted proxies alone.' },
  { id: 'K11', what: 'A sign-in code redeemed elsewhere than where it was asked for.', outcome: 'Refused.' },
  {
    id: 'K12',
    what: 'What is absent, told by counts, hashes, kinds of events, and errors.',
    outcome:
      'The same answer as without it. Known limits: ids have gaps, and numbers unless they are counted for each reader.',
  },
  {
    id: 'K13',
    what: 'An uploaded file loaded as a script, style or worker of a page, which trusts its own origin.',
    outcome: 'Not delivered for these uses.',
  },
  {
    id: 'K14',
    what: 'A click or a held key that is carried over into the window that opens a sealed document.',
    outcome: 'Takes no input that began before the window was in front.',
  },
  {
    id: 'K15',
    what: 'What is hidden, told to a member by the mixed flags of rights and by the pages of the permission sheet.',
    outcome: 'Both speak of what the member may see.',
  },
  {
    id: 'K16',
    what: 'A transfer of a file that goes on after its right ended.',
    outcome: 'Broken off within five seconds.',
  },
  {
    id: 'K17',
    what: 'Codes asked for and guessed by somebody else, for the address of a person who is signing in.',
    outcome: 'The code that the person asked for stays valid; wrong guesses count for the address.',
  },
  {
    id: 'K18',
    what: 'The key of a sealed copy released to a reader in another browser, or after the session ended; and its owner kept from it by others who ask for codes.',
    outcome:
      'Only the document that opened the window, or that shows the entered code, gets it. Other readers end none whose code was entered.',
  },
  {
    id: 'K19',
    what: 'A page whose content, graphics state or colours hide the mark that is woven into it.',
    outcome: 'The mark is seen in PDFium, MuPDF and Ghostscript, or the page is a marked picture.',
  },
  {
    id: 'K21',
    what: 'A document that its worker, or the tool that reads it, dies of each time.',
    outcome: 'Tried again after growing pauses, and given up after five deaths; others go on.',
  },
  {
    id: 'K22',
    what: 'An unmounted, empty or foreign volume in the place of the stored content.',
    outcome: '503; nothing is written, marked as damaged, swept or given up, and all comes back with the volume.',
  },
  {
    id: 'K23',
    what: 'A large request that the contract accepts, which takes the database longer than a statement may.',
    outcome: 'Done within the limit; what still exceeds it is answered with 503 and Retry-After, and changes nothing.',
  },
  {
    id: 'K24',
    what: 'A request of a signed-in person that keeps the only thread of the service or the proxy busy.',
    outcome: 'Others are served: no turn of the event loop takes longer than 50 ms.',
  },
  {
    id: 'K25',
    what: 'Replies, results of the database and bodies of many thousand elements, several at a time or just after a start.',
    outcome:
      'They are read, worked out and written in turns of a few milliseconds, one task per turn of the event loop.',
  },
  {
    id: 'K26',
    what: 'A pile of requests of one person, abandoned or not: page images, drawn previews, calls.',
    outcome: 'Ten are worked on at once; the others hold no connection and no image, and end with their client.',
  },
  {
    id: 'K27',
    what: 'An expiring URL whose right ended, fetched over and over by anybody who has it.',
    outcome: 'Refused with 404; the trail gets one entry in ten minutes for that user and file or download.',
  },
  {
    id: 'K28',
    what: 'One mailbox invited again and again, spelt with other tags, dots or letters; or thousands of strangers, from a workspace made for it.',
    outcome:
      'All spellings together get ten invitations and reminders in an hour, and one inviter writes to a thousand mailboxes a day.',
  },
  {
    id: 'K29',
    what: 'Rights that were read along with the authentication used for another caller, another room or a later request.',
    outcome: 'They serve one entry of that caller; a right that ends is gone with the next request.',
  },
  {
    id: 'K30',
    what: 'A member, a search or a download in a room of 100,000 folders, just imported.',
    outcome: 'A request reads its page, its hits and the overrides there, not the folders of the room.',
  },
  {
    id: 'K32',
    what: 'Thousands of members who join a workspace that was empty when PostgreSQL made its plans.',
    outcome: 'No request reads the groups of all members, and the next analysis of the tables brings other plans.',
  },
  {
    id: 'K33',
    what: 'A remembered list: after changes, revocations, other users, transactions in any order; more bodies than fit.',
    outcome:
      'Never an old list nor that of another right; writers do not wait for each other; bodies stay within 32 MiB.',
  },
  {
    id: 'K43',
    what: 'A pooled connection that keeps the state of another client, and a replica that shows what was revoked or deleted.',
    outcome:
      'Behind PgBouncer, statements have no names and no settings outlive their transaction. A replica answers only with data at least as new as the request.',
  },
  {
    id: 'K37',
    what: 'A user or guesser who spreads requests over the processes of one service.',
    outcome: 'The limits hold for all processes together; what they allow at the same moment is owed.',
  },
  {
    id: 'K34',
    what: 'A member who sees a few folders of a huge room reads the rights of everything, page after page.',
    outcome: 'The cost follows the shown folders and the overrides of the own groups, not the hidden folders.',
  },
  {
    id: 'K44',
    what: 'Requests spread over nodes, metrics filled with foreign paths or read from outside, and forged request ids.',
    outcome:
      'With RATE_STORE limits hold for all nodes; labels come from the contract alone; ids come from trusted proxies or are made anew.',
  },
  {
    id: 'K36',
    what: 'A client that asks for, forges or sees the hand-over of a file to the front server, or its internal path.',
    outcome:
      'Only TRUSTED_PROXIES get it, after all checks and for plain files alone; the path is internal, the proxy refuses it.',
  },
  {
    id: 'K39',
    what: 'Lists of activities with every filter, in a workspace with a long record.',
    outcome:
      'A total reads only the activities of the last minutes, and stays true while several processes keep totals.',
  },
  {
    id: 'K42',
    what: 'A bucket that answers with errors, pages of HTML or cut bodies, belongs to another database, or whose URL leaks.',
    outcome:
      'A retryable error, and nothing lost, marked as damaged or swept. A direct URL holds a minute, for one range; no log has a key.',
  },
  {
    id: 'K47',
    what: 'Titles that fall on one entry name of a marked zip, or on a path that cannot be extracted.',
    outcome: 'Every document is extracted, under a name of its own.',
  },
  {
    id: 'K48',
    what: 'A PDF in whose object streams the changes of a mark get lost.',
    outcome:
      'Every page has the mark, and attachments are gone; a copy is checked page by page before it is delivered.',
  },
  {
    id: 'K49',
    what: 'The URL of a sealed file without a zip, after the right is lost, or for a file that cannot be sealed.',
    outcome: '404; what cannot be sealed is left out of a zip, with the reason.',
  },
  {
    id: 'K70',
    what: 'Gaps in the numbers of folders and files, read from lists, search, rights, zips or the list of another reader.',
    outcome: 'Where the workspace numbers for each reader, numbers and indexes count only what that reader sees.',
  },
  {
    id: 'K50',
    what: 'A client that names a trace, to join the trace of another user or to force that all of its requests are kept.',
    outcome:
      'Its traceparent is dropped; only our own proxy, and front servers where that is configured, name a trace.',
  },
  {
    id: 'K57',
    what: 'An organization admin who looks for addresses with passwords, keys or the master key on the page System.',
    outcome: 'Versions, counts, names of hosts and places of backups only.',
  },
  {
    id: 'K58',
    what: 'An admin of another organization who looks at the installation, or has it examined again and again.',
    outcome: 'Refused with 403; one examination runs at a time, in a thread that ends after ten minutes.',
  },
  {
    id: 'K59',
    what: 'A backup into the prefix or folder of the content itself, or of the content of another installation, which pruning would then empty.',
    outcome: 'Refused before anything is written.',
  },
  {
    id: 'K60',
    what: 'Undoing the move of another user, or one whose former rights are older than a revocation of any kind: an act named an undo, rights prepared on a draft, a move of the former parent.',
    outcome: 'Refused; what was revoked stays revoked.',
  },
  {
    id: 'K74',
    what: 'The link of an invitation: guessed, replaced, expired, of a removed member, or read from the database; and hostile words in its mail.',
    outcome:
      'Only the newest link tells anything, to its holder, until the person has come in; a hash is stored. Words become neither links nor headers.',
  },
  {
    id: 'K75',
    what: 'A reader who learns from the landing page of a room, or from the news of their rooms, of files, people or groups that are hidden from them.',
    outcome: 'It lists and counts viewable files only, and names as the contact a present Workspace Admin only.',
  },
  {
    id: 'K76',
    what: 'Reports about the first or the last day of the calendar, in time zones on both sides of UTC.',
    outcome: 'Answered at once; no loop over days outlives the calendar.',
  },
  {
    id: 'K91',
    what: 'A reader who makes up reading times: hours in one batch, many batches at once, repeated batches, pages and files that are not theirs; and batches of pages that were only passed by, for their rows.',
    outcome:
      'Counted once, and never more than the time that has passed and two minutes. Unknown pages and files are 404, and a page counts from 0.1 s on.',
  },
  {
    id: 'K102',
    what: 'A reader who asks for the zip of a large workspace again and again, and so fills activities and audit trail.',
    outcome:
      'Refused, with nothing written, after as many files within an hour as three of the largest workspaces have.',
  },
  {
    id: 'K66',
    what: 'A member of a group without a text layer who asks every endpoint for the words of a document, or works out its text by finding.',
    outcome:
      'Neither page texts nor hits nor snippets; `find` gives boxes only, and is recorded as a view. The setting is checked at every request, with the rights. Only the search of a workspace tells which viewable files have a word.',
  },
  {
    id: 'K89',
    what: 'A mail of news after rights were taken back, or about that, from several workers or after a crash; its link to end them: guessed, changed, used for another person or room; and hostile names in it.',
    outcome:
      'It names what is its reader’s when it is sent, and comes once at most. The link is signed, and ends the mails of one person about one room, which is audited. Names are neither links nor markup nor headers.',
  },
  {
    id: 'K80',
    what: 'A member whom terms await, at every endpoint, with URLs, zips, uploads, streams, keys and sealed copies from before, by the ids of other members, and with the PDFs of terms that do not bind them.',
    outcome:
      'Refused with 403 from the next request on; only the name of the workspace and the terms are shown. Old URLs answer 404, sealed copies get no key, and personal keys cannot accept. Drafts and the PDFs of other groups, versions and workspaces are 403 or 404.',
  },
  {
    id: 'K92',
    what: 'A bidder who compares everything that he reads, byte by byte, before and after other bidders ask, and admins write, order and edit the FAQ of others: numbers, counts, ids, times, ETags, activities, events, search, home, mails.',
    outcome:
      'The same bytes. Ids are random, numbers are those of the own group, and only an answer published to him appears, in one mail that says neither who asked nor how many.',
  },
  {
    id: 'K93',
    what: 'Questions for a built-in group or a group of another workspace, in which bidders would read each other.',
    outcome: 'Refused with 422: only groups that an admin has added ask.',
  },
  {
    id: 'K94',
    what: 'A person whose access has ended, who reads answers that were published to everybody.',
    outcome: 'Nothing is listed, counted or found.',
  },
  {
    id: 'K95',
    what: 'A bidder who uses filters, search and cursors of questions to learn of drafts, notes, assignment, and of who asked what was published; or a member without questions who reads the categories.',
    outcome:
      'Drafts and notes are not searched, foreign groups are 404, and the id of a hidden question is like one that never was. Categories are shown to those who may ask or have something to read.',
  },
  {
    id: 'K98',
    what: 'A branding that carries more than a look: colours that continue as CSS, names that begin headers or pose as addresses, pictures with scripts, second formats or huge sizes, words with markup, links or unknown placeholders.',
    outcome:
      'Refused with 422, or only what is meant remains: six hex digits, one line, the pixels of a PNG that the service has drawn, escaped text without links.',
  },
  {
    id: 'K99',
    what: 'A member who compares everything that he reads before and after a draft folder is filled, changed and moved: names, ids, numbers and gaps, counts, rights, times, ETags, search, zips, events, news and mails; and who asks for its ids.',
    outcome:
      'The same bytes, no event and no mail; the ids are like those that never were. Nothing leaves a draft unpublished.',
  },
  {
    id: 'K100',
    what: 'Readings and acts that are cheap to ask for and leave something behind each time: a search in a document from page 1,000,000 on, copies of a folder with as many drafts as a workspace may have, and restores of such.',
    outcome: 'Nothing is read or kept for pages that are not there; more drafts than the limit are refused with 409.',
  },
  {
    id: 'K101',
    what: 'A person who waits for a draft group, or a member of another group, who compares everything that he reads before and after the draft is made, named, filled with people and given rights, terms and questions; and who asks for its id.',
    outcome:
      'The same bytes, no event, no invitation and no mail; the id is like one that never was. Whoever only waits is outside.',
  },
  {
    id: 'K103',
    what: 'A bidder who may upload reads in the versions of a file which other bidders uploaded them, and their addresses.',
    outcome: 'Only workspace admins learn who else uploaded a version.',
  },
  {
    id: 'K104',
    what: 'Content that two workspaces share, of which one learns that it is malware, deletes it or has it read again.',
    outcome:
      'Malware is kept back in both, what was read of deleted content is forgotten in its own workspace only, and both have it read.',
  },
  {
    id: 'K105',
    what: 'An expert to whom a question was passed, who reads others by id, list, search, cursor, export, events, news, FAQ and activities, or learns of the asker, of numbers, counts and times, of notes, drafts and other experts; or acts as an answerer.',
    outcome:
      'The same bytes whatever else happens, except answers that are given to everybody or to a group of the expert. The expert has the question, what was said to and by them since it was passed, and documents by their own rights; other ids are 404, acts of answerers 403.',
  },
  {
    id: 'K106',
    what: 'An expert from whom a question was withdrawn, who was taken off, left, lost access or has come into a group that asks, and reads or replies at the same moment, or gets a mail that was queued before.',
    outcome:
      'From the next request on like one that never was; a reply is stored before the withdrawal or refused, and a mail is written by the rights of the moment of sending.',
  },
  {
    id: 'K107',
    what: 'A PDF of terms with scripts, programs to start, forms that are sent, addresses that run code or lead to local files, other files, a password or malware; a program named .pdf; one with too many pages, words or bytes; a bomb.',
    outcome:
      'Refused with the reason, before anybody must accept it, and nothing of it is kept. A bomb ends the process that reads it and nothing else. While the scanner is away no PDF is taken; one that was not scanned is not issued where a scan is required, and one in which malware is found later is served to nobody.',
  },
  {
    id: 'K108',
    what: 'Admins who stage contradicting rights at once, or stage, discard, move and delete while another reviews and publishes; a member who asks for the grid as it is planned.',
    outcome:
      'What is published is what was read, or nothing (409), and a right never comes without the view that it needs. Members get 403, and nothing tells them of what is staged.',
  },
  {
    id: 'K109',
    what: 'A bidder who has mails at once, and compares when they come while others are given files, rights and drafts that he does not see.',
    outcome: 'At the same times: only what its reader sees decides when such a mail is due.',
  },
  {
    id: 'K110',
    what: 'A planned opening of an admin with a personal key that has lost a scope since, which planning it needs.',
    outcome: 'Nothing is published and nobody invited; the plan keeps the reason.',
  },
  {
    id: 'K111',
    what: 'A reminder of questions, or a notice of damaged or infected documents, that waited while its reader stopped being an admin or took another address.',
    outcome: 'Not sent.',
  },
  {
    id: 'K112',
    what: 'A member who counts what is new to him, also in mails and by their time, while thousands of changes are made to files, and rights of groups, that he does not see.',
    outcome:
      'The same news and mails: older changes of what he may see are read where too many of the newest are hidden from him.',
  },
  {
    id: 'K113',
    what: 'An import of questions with too many, too long, invalid or slow lines, several at once, or bodies that never come, to keep others from importing.',
    outcome:
      'Each line is checked as it arrives, and others are served between lines; the import is refused as a whole, with the line, before anything is stored. An organization has one at a time, and a body that stops coming is cut off.',
  },
  {
    id: 'K114',
    what: 'An import of questions that is sent again, at the same moment or after its answer or body was lost; with other questions; under the id of another admin or in another workspace; with thousands of ids, or ids that are none.',
    outcome:
      'It is stored once and answered as the first time, or refused with 409 or 422. An id of somebody else is like one that never was. A hundred ids of a person are kept, for a day.',
  },
  {
    id: 'K115',
    what: 'Codes asked for and tried, and invitations looked up, through several proxies by turns; and forged client addresses, to use up what somebody else may do.',
    outcome:
      'The limits of a client and of an e-mail address hold for all proxies together, and other clients are served. Only the proxy names clients.',
  },
]
