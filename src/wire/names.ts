/** Each leads from an object to a prototype that all objects share. */
const LEADING = /(?:^|[[\]])(?:__proto__|constructor|prototype)(?:$|[[\]])/

export const NAME_REFUSED = 'Names may not be or contain __proto__, constructor or prototype.'

/** Whether a name sent from outside, or a bracketed part of it, leads to a prototype: `a[__proto__][b]`. */
export const leadsToPrototype = (name: string): boolean => LEADING.test(name)
