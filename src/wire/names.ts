/** Names that lead from an object to a prototype shared by all objects. */
const LEADING = /(?:^|[[\]])(?:__proto__|constructor|prototype)(?:$|[[\]])/

export const NAME_REFUSED = 'Names may not be or contain __proto__, constructor or prototype.'

/** Whether a name sent by a client, or a bracketed part of it, leads to a prototype: `a[__proto__][b]`. */
export const leadsToPrototype = (name: string): boolean => LEADING.test(name)
