/** The parts of a fiber, React's node of a component, that DevTools read as well. */
interface Fiber {
  type: unknown
  key: string | null
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
}

export interface Drawn {
  component: string
  key: string | null
}

/** React sets this flag on a component whose function has run. */
const PERFORMED_WORK = 1

let drawn: Drawn[] | undefined
let commits = 0

// React reports its commits to this hook, which is there for DevTools, and looks for it once, when it is loaded.
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_renderer: number, { current }: { current: Fiber }) => {
      commits += 1
      if (drawn) look(current, current.alternate)
    },
    onCommitFiberUnmount: () => undefined,
  },
})

/** Milliseconds without a commit after which a page is taken to be complete. */
const STILL = 300

/** Returns each render of a component while `act` ran, which receives the renders so far. Begins once the page is still. */
export async function rendersDuring(act: (drawn: readonly Drawn[]) => Promise<unknown>): Promise<Drawn[]> {
  for (let before = -1; before !== commits;) {
    before = commits
    await new Promise((resolve) => setTimeout(resolve, STILL))
  }
  const renders: Drawn[] = []
  drawn = renders
  await act(renders)
  drawn = undefined
  return renders
}

/** Goes through what differs from the last commit: React copies a fiber on the way to each component that it draws. */
function look(fiber: Fiber, before: Fiber | null) {
  if (typeof fiber.type === 'function' && (!before || (fiber.flags & PERFORMED_WORK) !== 0))
    drawn?.push({ component: fiber.type.name, key: fiber.key })
  if (before && fiber.child === before.child) return
  for (let child = fiber.child; child; child = child.sibling) look(child, child.alternate)
}
