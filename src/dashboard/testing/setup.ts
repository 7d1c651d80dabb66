import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 15_000 })

afterEach(cleanup)

// happy-dom lays nothing out, and a virtual list without a height shows no rows.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { configurable: true, value: 1200 },
  clientHeight: { configurable: true, value: 800 },
})
