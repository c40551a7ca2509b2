import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

/** A component that is loaded when it is first shown: what the first screen does not need, it does not wait for. */
export function lazyNamed<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }))
}
