import type { Form, Named } from '../pdf-resources.ts'
import { followPage } from './follow-page.ts'
import { scanContent } from './scan-content.ts'
import { AmbiguousContent } from './tokens.ts'
import { number } from './write-piece.ts'

/** The content of a page with the resources that it uses. */
export interface PageContent extends Named {
  content: Buffer
  group?: Form['group']
}

const MAX_WRAPPER_BYTES = 4096
const MAX_LEVELS = 4
const PLACING = new Set(['q', 'Q', 'cm', 're', 'W', 'W*', 'n'])
const TAGGING = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP'])

/**
 * Returns the content of the form if a page does nothing but place one form, so that the mark can be woven into it.
 * @returns undefined if such a form cannot be taken apart; any other page unchanged
 */
export function unwrapForm(page: PageContent, level = 0): PageContent | undefined {
  const wrapper = wrapperOf(page)
  if (!wrapper) return page
  const form = level < MAX_LEVELS ? page.formAt(wrapper.form) : undefined
  if (!form || !isBalanced(form)) return undefined
  const [left, bottom, right, top] = form.box
  const box = [left, bottom, right - left, top - bottom].map(number).join(' ')
  const place = `q\n${form.matrix.map(number).join(' ')} cm\n${box} re W n\n`
  const parts = [wrapper.before, place, form.content, '\nQ\n', wrapper.after]
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  return unwrapForm({ ...form, content, group: page.group ?? form.group }, level + 1)
}

/** Returns the operators around the only form of a page; undefined if the page draws anything else, or an image. */
function wrapperOf({ content, named }: PageContent): { form: string; before: string; after: string } | undefined {
  if (content.length > MAX_WRAPPER_BYTES) return undefined
  const forms: string[] = []
  let [before, after, isPlain] = ['', '', true]
  try {
    scanContent(content, named.componentsOf, ({ operator, from, to, names, corrections }) => {
      const written = `${content.toString('latin1', from, to)}\n`
      if (operator === 'Do') forms.push(names[0] ?? '')
      else if (!PLACING.has(operator)) isPlain &&= TAGGING.has(operator) && names[0] !== '/OC'
      else if (forms.length === 0) before += written
      else after += written
      isPlain &&= corrections.length === 0
    })
  } catch (error) {
    if (error instanceof AmbiguousContent) return undefined
    throw error
  }
  const [form] = forms
  const isForm = form !== undefined && forms.length === 1 && !named.paintedBy(form)?.isImage
  return isPlain && isForm ? { form, before, after } : undefined
}

/** Whether a form neither takes more from the stack of graphics states than it puts there, nor leaves anything open. */
function isBalanced({ content, box, named }: Form): boolean {
  try {
    const { surplus, closing } = followPage(content, box, named)
    return surplus === 0 && closing === ''
  } catch (error) {
    if (error instanceof AmbiguousContent) return false
    throw error
  }
}
