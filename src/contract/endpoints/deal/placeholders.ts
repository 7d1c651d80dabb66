/** What a subject or text of an invitation may contain in braces. */
export const PLACEHOLDERS = ['room', 'inviter', 'organization', 'name'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

export const PLACEHOLDER = /\{([^{}]*)\}/g
