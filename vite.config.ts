import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { precompress } from './src/tools/precompress.ts'

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // An inlined asset is a data: URL, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Two groups that change rarely; without them the first load is some twenty files.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-)?query)/,
            },
            { name: 'mui', test: /node_modules[\\/](@mui|@emotion)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  test: {
    // A busy machine is no reason to fail.
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          include: ['src/{service,proxy}/**/*.test.ts'],
          globalSetup: ['src/service/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'node', include: ['src/{contract,signing,mail,embedded,tools}/**/*.test.ts'] },
      },
    ],
  },
})
