/* Programs that a check builds from sources before it runs them. */

const COMPILERS =
  /^(?:(?:[\w]+-)*(?:cc|gcc|g\+\+|clang|clang\+\+|c\+\+|gfortran)(?:-\d+)?|tcc|rustc|javac|kotlinc|swiftc|ghc|ocamlc|ocamlopt|dmd|ldc2)$/

/** Returns whether a program turns the sources that it is given into one that a check runs. */
export function isCompiler(program: string): boolean {
  return COMPILERS.test(program)
}

const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|m|s|f90|rs|java|kt|swift|hs|ml|d)$/

/** Returns the sources that a word of a compiler or makefile may mean: `cart.c`, `cart.o`, the program `cart`. */
export function sourcesOf(word: string): readonly string[] {
  if (SOURCE.test(word)) return [word]
  const stem = /^([\w./-]+?)(?:\.l?o|\.obj|\.exe)?$/.exec(word)?.[1]
  return stem === undefined ? [] : ['.c', '.cc', '.cpp', '.cxx'].map((ending) => stem + ending)
}
