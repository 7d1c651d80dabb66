export interface Review {
  packages: RegExp
  /** Expressions accepted for these packages besides the permitted ones; `none stated` accepts a missing licence. */
  licences: string[]
  /** The licence that the review found where the package states none. */
  found?: string
  /** Their licence files contain texts of refused licences, and a person has read them. */
  texts?: boolean
  reason: string
}

/** Packages whose licences a person has read and accepted. */
export const REVIEWED: Review[] = [
  {
    packages: /^@img\/sharp-libvips-/,
    licences: ['LGPL-3.0-or-later'],
    reason:
      'libvips and the libraries in its shared object are LGPL. sharp loads the object at run time and it can be replaced ' +
      'by another build (LGPL-3.0, section 4d1); nothing of Strongroom is linked into it or changed in it.',
  },
  {
    packages: /^@img\/sharp-(?:win32-\w+|wasm32)$/,
    licences: ['Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
    reason:
      'The same libvips for Windows (a DLL beside the module) and WebAssembly. No supported platform installs them; the ' +
      'lockfile names them because it names the packages of every platform.',
  },
  {
    packages: /^node-(?:bin-)?(?:darwin|linux)-/,
    licences: ['none stated'],
    found: 'MIT',
    texts: true,
    reason:
      'Node.js itself, MIT. Its LICENSE file collects those of its parts; the GPL texts in it belong to build scripts ' +
      '(autoconf, with its exception), which the binary does not contain.',
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    licences: ['SEE LICENSE IN README.md AND LICENSE'],
    found: 'Bitstream-Vera AND LicenseRef-Arev AND LicenseRef-public-domain',
    reason:
      'The DejaVu fonts: Bitstream Vera, with glyphs of Arev under the same terms and changes in the public domain. They may ' +
      'be used, embedded, changed and distributed, but a changed font may not be named after them and a font may not be sold by itself.',
  },
  {
    packages: /^argparse$/,
    licences: ['PSF-2.0'],
    reason:
      'The licence of Python, without the older ones that Python-2.0 adds; it is permissive. Only the command of markdown-it ' +
      'loads the package, and nothing runs that command.',
  },
]
