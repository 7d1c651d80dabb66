/**
 * What a table has for a value of the service. An open tab is older than the service after an upgrade, so that there may be
 * values which it does not know.
 */
export const known = <Key extends string, Value>(
  table: Readonly<Record<Key, Value>>,
  key: Key,
  otherwise: NoInfer<Value>,
): Value => table[key] ?? otherwise
