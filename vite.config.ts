import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2023',
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
      { extends: true, test: { name: 'node', include: ['src/**/*.test.ts'], exclude: ['src/dashboard/**'] } },
    ],
  },
})
