/**
 * Parts of a program's failure that differ each time: a random id or a UUID, the id of a request, a moment, and a number that belongs to no
 * name, version or path.
 */
const CHANGING =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z+-]*|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z\d]{12,}|(?<![\w./-])\d+(?:\.\d+)?(?:ms|s|m|h)?(?![\w/-])/g

/** Returns whether two reasons describe the same problem, ignoring the parts that differ each time a program states it. Pure. */
export function isSameTrouble(one: string, other: string): boolean {
  return one.replace(CHANGING, '…') === other.replace(CHANGING, '…')
}
