import type { Matrix } from '../plan/placement.ts'
import type { Dictionary, Value, Values } from './pdf-values.ts'
import { followPage, type PageResources, type Painted } from './weave/follow-page.ts'
import { type Box, intersect, movedBox } from './weave/matrix.ts'
import { AmbiguousContent } from './weave/tokens.ts'

/** The resources of a page or of a form. */
export interface Named {
  resources: Dictionary
  /** All names that the content may use, of any kind. */
  usedNames: ReadonlySet<string>
  /** Lookups of the resources behind the names. */
  named: PageResources
  /** The resources redefine `DeviceRGB`, possibly as a colour space that has only white. */
  redefinesRgb: boolean
  formAt(name: string): Form | undefined
}

export interface Form extends Named {
  content: Buffer
  box: Box
  matrix: Matrix
  group: Value | undefined
}

/** Returns the decoded data of a stream; undefined if they are not available. */
export type ContentOf = (reference: string) => Buffer | undefined

/** A form with more covers than this counts as covering its whole box. */
const MAX_FORM_COVERS = 200

/** Returns a function that makes the lookups behind the names of a resource dictionary. */
export function createNaming(
  { resolve, dictionary, list, boxOf, matrixOf, streamOf }: Values,
  contentOf: ContentOf,
): (resources: Dictionary) => Named {
  const painted = new Map<string, Painted | undefined>()

  function namedIn(resources: Dictionary): Named {
    const [states, fonts] = [dictionary(resources['/ExtGState']), dictionary(resources['/Font'])]
    const [xobjects, spaces] = [dictionary(resources['/XObject']), dictionary(resources['/ColorSpace'])]
    return {
      // Resolves the dictionaries to which the mark adds names.
      resources: { ...resources, '/ExtGState': states, '/Font': fonts, '/ColorSpace': spaces },
      usedNames: new Set(Object.values(resources).flatMap((kind) => Object.keys(dictionary(kind)))),
      redefinesRgb: '/DefaultRGB' in spaces,
      formAt: (name) => formOf(xobjects[name], resources),
      named: {
        isType3: (font) => resolve(dictionary(fonts[font])['/Subtype']) === '/Type3',
        lineWidthOf(state) {
          const width = resolve(dictionary(states[state])['/LW'])
          return typeof width === 'number' ? width : undefined
        },
        componentsOf: (space) => componentsOf(spaces[space]),
        paintedBy: (xobject) => paintedBy(xobjects[xobject], resources),
      },
    }
  }

  function componentsOf(value: Value | undefined): number | undefined {
    const [family, parameter] = list(value)
    if (family === '/ICCBased') {
      const components = resolve(streamOf(parameter)?.['/N'])
      return typeof components === 'number' ? components : undefined
    }
    return { '/CalGray': 1, '/Indexed': 1, '/Separation': 1, '/CalRGB': 3, '/Lab': 3 }[String(family)]
  }

  /** A form without resources of its own uses those of the page. */
  const resourcesOf = (form: Dictionary, above: Dictionary): Dictionary =>
    '/Resources' in form ? dictionary(form['/Resources']) : above

  function formOf(reference: Value | undefined, above: Dictionary): Form | undefined {
    const form = streamOf(reference)
    const box = boxOf(form?.['/BBox'])
    const content = typeof reference === 'string' ? contentOf(reference) : undefined
    if (!form || !box || !content || '/OC' in form || resolve(form['/Subtype']) !== '/Form') return undefined
    const named = namedIn(resourcesOf(form, above))
    return { ...named, content, box, matrix: matrixOf(form['/Matrix']), group: form['/Group'] }
  }

  function paintedBy(reference: Value | undefined, above: Dictionary): Painted | undefined {
    const stream = streamOf(reference)
    if (!stream || typeof reference !== 'string') return undefined
    if (resolve(stream['/Subtype']) === '/Image') return { boxes: [[0, 0, 1, 1]], isImage: true }
    if (!painted.has(reference)) {
      painted.set(reference, undefined)
      painted.set(reference, paintedByForm(reference, stream, above))
    }
    return painted.get(reference)
  }

  function paintedByForm(reference: string, form: Dictionary, above: Dictionary): Painted | undefined {
    const box = boxOf(form['/BBox'])
    if (!box) return undefined
    const inside = formOf(reference, above)
    const covers = (inside && coversOf(inside)) ?? [{ box, isImage: false }]
    return {
      boxes: covers.map((cover) => movedBox(intersect(cover.box, box), matrixOf(form['/Matrix']))),
      isImage: covers.length > 0 && covers.every(({ isImage }) => isImage),
    }
  }

  function coversOf({ content, box, named }: Form) {
    try {
      const { covers } = followPage(content, box, named)
      return covers.length > MAX_FORM_COVERS ? undefined : covers
    } catch (error) {
      if (error instanceof AmbiguousContent) return undefined
      throw error
    }
  }

  return namedIn
}
