import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { GROUPS, loadedWith } from './src/tools/bundle/chunks.ts'
import { apiBySection, contractData } from './src/tools/contract-data.ts'
import { firstModules } from './src/tools/bundle/first-modules.ts'
import { icons } from './src/tools/bundle/icons.ts'
import { messages } from './src/tools/messages.ts'
import { precompress } from './src/tools/precompress.ts'
import { unusedParts } from './src/tools/bundle/unused-parts.ts'

export default defineConfig({
  plugins: [unusedParts(), icons(), apiBySection(), contractData(), messages(), react(), firstModules(), precompress()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // An inlined asset is a data: URL, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    // Browsers without modulepreload only load later, so the first page carries no polyfill for them.
    modulePreload: { polyfill: false, resolveDependencies: loadedWith },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
      },
    },
  },
  test: {
    // A busy machine must not fail the tests.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Tests wait for databases and processes more than they compute, so two files run at a time on two cores too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: ['src/dashboard/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: ['src/dashboard/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/{service,proxy,client}/**/*.test.ts'],
          globalSetup: ['src/service/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'node', include: ['src/{contract,signing,mail,wire,embedded,tools}/**/*.test.ts'] },
      },
    ],
  },
})
