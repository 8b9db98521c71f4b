"""Facts: rules about whole columns of a table."""

from unwritten.facts.conditions_of_sentences import said_conditions
from unwritten.facts.date_part import DatePart
from unwritten.facts.dependency import Dependency
from unwritten.facts.fact import Fact
from unwritten.facts.fact_sentences import fact_sentences, with_facts
from unwritten.facts.implied_facts import facts_imply
from unwritten.facts.key import Key
from unwritten.facts.kinds import FACTS, restored
from unwritten.facts.linear_fact import LinearFact
from unwritten.facts.missing import MissingTogether, NeverMissing
from unwritten.facts.missing_when import MissingWhen
from unwritten.facts.order import Order
from unwritten.facts.product_fact import ProductFact
from unwritten.facts.range_by import RangeBy
from unwritten.facts.range_fact import RangeFact
from unwritten.facts.range_when import RangeWhen
from unwritten.facts.reading import Written, parse_fact, read_written
from unwritten.facts.said_rows import said_by_facts
from unwritten.facts.seen_together import SeenTogether
from unwritten.facts.starts_with import StartsWith
from unwritten.facts.step import Step
from unwritten.facts.sum_order import SumOrder
from unwritten.facts.text_form import TextForm
from unwritten.facts.text_length import TextLength
from unwritten.facts.unequal import Unequal

__all__ = [
    "FACTS",
    "DatePart",
    "Dependency",
    "Fact",
    "Key",
    "LinearFact",
    "MissingTogether",
    "MissingWhen",
    "NeverMissing",
    "Order",
    "ProductFact",
    "RangeBy",
    "RangeFact",
    "RangeWhen",
    "SeenTogether",
    "StartsWith",
    "Step",
    "SumOrder",
    "TextForm",
    "TextLength",
    "Unequal",
    "Written",
    "fact_sentences",
    "facts_imply",
    "parse_fact",
    "read_written",
    "restored",
    "said_by_facts",
    "said_conditions",
    "with_facts",
]
