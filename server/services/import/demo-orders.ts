import { item } from '../../../schema/resources/catalogue/item.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import type { DemoKey, DemoOrder, DemoPlan } from '../../domain/demo/plan.ts'
import { withScheme } from '../../domain/text/names.ts'
import { hundredths } from '../../resource/codec.ts'
import type { OrderDraft, PaymentDraft } from '../pricing/order-draft.ts'
import type { DemoCatalogue } from './demo-catalogue.ts'

/** An order of the plan as it is stored. */
export function demoOrderDraft(order: DemoOrder, plan: DemoPlan, made: DemoCatalogue): OrderDraft {
  const { payment_provider: provider, positions, ...values } = order
  return {
    ...values,
    payments: [{ ...paymentOf(order), provider }],
    positions: positions.map((position) => ({
      ...position,
      ...taxOf(position.item, plan, made),
      item: made.idOf(item, position.item),
      variation: position.variation === null ? null : made.idOf(variation, position.variation),
      price: hundredths(position.price),
      attendee_name_parts: withScheme(position.attendee_name_parts, 'given_family'),
      answers: position.answers.map((answer) => ({
        question: made.idOf(question, answer.question),
        answer: answer.answer,
        options: answer.options.map((identifier) => made.optionOf(answer.question, identifier)),
      })),
    })),
  }
}

function taxOf(key: DemoKey, { items, tax_rules }: DemoPlan, made: DemoCatalogue) {
  const own = items.find((one) => one.key === key)?.tax_rule
  const rule = tax_rules.find((one) => one.key === own)
  return rule ? { tax_rate: hundredths(rule.rate), tax_rule: made.idOf(taxRule, rule.key) } : {}
}

function paymentOf({ status, datetime, positions }: DemoOrder): Omit<PaymentDraft, 'provider'> {
  const amount = positions.reduce((sum, position) => sum + hundredths(position.price), 0)
  if (status === 'p') return { state: 'confirmed', amount, payment_date: datetime }
  return { state: status === 'n' ? 'created' : 'canceled', amount }
}
