/** What the switch for file-managing abilities does. */
export const ABILITIES_TEXT = 'In folders they may upload to, members can also rename, reorder and delete files.'
