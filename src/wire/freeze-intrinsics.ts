/**
 * Freezes the built-in objects that all code shares, so that a stray write cannot change how other requests or child
 * processes are served. Call it once all modules are loaded.
 *
 * Node's own --frozen-intrinsics turns every method into an accessor, which makes map, filter and slice about thirty
 * times slower. Here only the names become accessors that libraries assign to objects of their own. RegExp is left out:
 * with a frozen prototype, String.replace takes four times as long.
 */
export function freezeIntrinsics(): void {
  for (const intrinsic of SHARED) {
    if (ASSIGNED_TO.has(intrinsic)) letHeirsAssign(intrinsic.prototype as object)
    Object.freeze(intrinsic.prototype)
    // Libraries set Error.stackTraceLimit.
    if (intrinsic !== Error) Object.freeze(intrinsic)
  }
  for (const prototype of HIDDEN) Object.freeze(prototype)
  for (const namespace of [Atomics, Intl, JSON, Math, Reflect]) Object.freeze(namespace)
}

const TypedArray = Object.getPrototypeOf(Uint8Array) as typeof Uint8Array
const SHARED = [
  [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, Promise],
  [Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError],
  [Map, Set, WeakMap, WeakSet, WeakRef, FinalizationRegistry, ArrayBuffer, SharedArrayBuffer, DataView, TypedArray],
  [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  [BigInt64Array, BigUint64Array, Float32Array, Float64Array, URL, URLSearchParams, TextDecoder, TextEncoder],
].flat() as { prototype: unknown }[]

const prototypeOf = (value: unknown) => Object.getPrototypeOf(value) as object
const arrayIterator = prototypeOf([][Symbol.iterator]())
const generator = prototypeOf(prototypeOf((function* () {})()))
const asyncGenerator = prototypeOf(prototypeOf((async function* () {})()))
const HIDDEN = [
  [arrayIterator, prototypeOf(arrayIterator), prototypeOf(new Map().values()), prototypeOf(new Set().values())],
  [prototypeOf(''[Symbol.iterator]()), prototypeOf(''.matchAll(/x/g)), generator, asyncGenerator],
  [prototypeOf(asyncGenerator), prototypeOf(async () => {}), prototypeOf(function* () {})],
  [prototypeOf(async function* () {})],
].flat()

/**
 * Names that libraries assign to their own objects, functions and errors: a frozen data property would forbid that to
 * every object that inherits it. Other prototypes keep plain properties, because the engine takes slower paths once
 * those of arrays and promises are accessors.
 */
const ASSIGNED = ['constructor', 'toString', 'toLocaleString', 'valueOf', 'name', 'message']
const ASSIGNED_TO = new Set<unknown>([
  Object,
  Function,
  ...SHARED.filter(({ prototype }) => prototype instanceof Error),
  Error,
])

function letHeirsAssign(prototype: object): void {
  for (const name of ASSIGNED) {
    const property = Object.getOwnPropertyDescriptor(prototype, name)
    if (!property?.configurable || !('value' in property)) continue
    const value: unknown = property.value
    Object.defineProperty(prototype, name, {
      get: () => value,
      set(this: unknown, assigned: unknown) {
        if (this === prototype) throw new TypeError(`${name} of a shared prototype cannot be changed.`)
        Object.defineProperty(this, name, { value: assigned, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}
