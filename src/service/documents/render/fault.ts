/** What is wrong with a document itself: trying again would end the same way. The message is one sentence for people. */
export class DocumentFault extends Error {}
