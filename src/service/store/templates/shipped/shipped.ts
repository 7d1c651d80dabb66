import {
  SHIPPED_TEMPLATES,
  type ShippedTemplate,
  type TemplateLanguage,
} from '../../../../contract/endpoints/deal/templates.ts'
import type { Blueprint } from '../blueprint.ts'
import { summaryOf, type Template } from '../templates.ts'
import { ENGLISH } from './english.ts'
import { GERMAN } from './german.ts'
import { toBlueprint } from './outline.ts'

const OUTLINES = { en: ENGLISH, de: GERMAN }

export const shippedBlueprint = (shipped: ShippedTemplate, language: TemplateLanguage): Blueprint =>
  toBlueprint(OUTLINES[language][shipped])

export const listShipped = (language: TemplateLanguage): Template[] =>
  SHIPPED_TEMPLATES.map((shipped) => ({
    id: null,
    shipped,
    name: '',
    ...summaryOf(shippedBlueprint(shipped, language)),
    created_by: null,
    created_at: null,
  }))
