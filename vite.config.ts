import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { messages } from './src/tools/messages.ts'
import { precompress } from './src/tools/precompress.ts'

export default defineConfig({
  plugins: [messages(), react(), precompress()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // An inlined asset is a data: URL, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // A first load of a handful of files: what every screen needs, the widgets and our own parts that several pages share.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|scheduler|@tanstack[\\/](react-)?query)/,
              tags: ['$initial'],
            },
            { name: 'mui', test: /node_modules[\\/](@mui|@emotion|stylis)/, tags: ['$initial'] },
            { name: 'core', test: /src[\\/](contract|dashboard)|node_modules/, tags: ['$initial'] },
            { name: 'widgets', test: /node_modules[\\/](@mui|@popperjs|react-transition-group)/, minShareCount: 2 },
            { name: 'shared', test: /src[\\/]dashboard[\\/](shared|ui)|node_modules/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  test: {
    // A busy machine is no reason to fail.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
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
