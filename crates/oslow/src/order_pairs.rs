//! Which variable comes before which, over many orders.

use oslow_core::Ordering;
use serde::{Serialize, Serializer};

/// The share of some orders in which each variable came before each other.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderPairs {
    nodes: usize,
    /// In how many orders the row came before the column.
    counts: Vec<usize>,
    orders: usize,
}

/// Two variables and how often one came before the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderPair {
    /// The variable that came first.
    pub first: usize,
    /// The variable that came after it.
    pub second: usize,
    /// The share of orders in which it was so.
    pub share: f64,
}

impl OrderPairs {
    /// Counts over orders of this many variables; `None` without any order.
    pub(crate) fn new<'a>(nodes: usize, orders: impl Iterator<Item = &'a Ordering>) -> Option<Self> {
        let mut pairs = Self { nodes, counts: vec![0; nodes * nodes], orders: 0 };
        for order in orders {
            pairs.orders += 1;
            for (position, &first) in order.nodes().iter().enumerate() {
                for &second in &order.nodes()[position + 1..] {
                    pairs.counts[first * nodes + second] += 1;
                }
            }
        }
        (pairs.orders > 0).then_some(pairs)
    }

    /// How often `first` came before `second`, in [0, 1].
    pub fn share(&self, first: usize, second: usize) -> f64 {
        self.counts[first * self.nodes + second] as f64 / self.orders as f64
    }

    /// Every pair both ways round, by the first variable and then the second.
    pub fn all(&self) -> impl Iterator<Item = OrderPair> + '_ {
        (0..self.nodes).flat_map(move |first| {
            let others = (0..self.nodes).filter(move |&second| second != first);
            others.map(move |second| OrderPair { first, second, share: self.share(first, second) })
        })
    }

    /// Every pair once, the way round that is the more frequent, the most doubtful first. A pair that stands
    /// equally often either way is given as the columns stand.
    pub fn most_doubtful(&self) -> Vec<OrderPair> {
        let likelier = |pair: &OrderPair| {
            let back = self.share(pair.second, pair.first);
            pair.share > back || (pair.share == back && pair.first < pair.second)
        };
        let mut pairs: Vec<OrderPair> = self.all().filter(likelier).collect();
        pairs.sort_by(|a, b| a.share.total_cmp(&b.share));
        pairs
    }
}

/// The JSON of order pairs: `{"a": {"b": 0.97}, "b": {"a": 0.03}}` says that a came before b in 97 %.
pub(crate) struct WrittenPairs<'a> {
    pub pairs: &'a OrderPairs,
    pub columns: &'a [String],
}

impl Serialize for WrittenPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let after = |first| WrittenAfter { first, written: self };
        serializer.collect_map((0..self.columns.len()).map(|first| (&self.columns[first], after(first))))
    }
}

/// What came after one variable, and how often.
struct WrittenAfter<'a> {
    first: usize,
    written: &'a WrittenPairs<'a>,
}

impl Serialize for WrittenAfter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WrittenPairs { pairs, columns } = self.written;
        let others = (0..columns.len()).filter(|&second| second != self.first);
        serializer.collect_map(others.map(|second| (&columns[second], pairs.share(self.first, second))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_both_ways() {
        let orders =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [0, 1, 2]].map(|nodes| Ordering::new(nodes.into()).unwrap());
        let pairs = OrderPairs::new(3, orders.iter()).unwrap();
        assert_eq!([pairs.share(0, 1), pairs.share(1, 0), pairs.share(0, 2)], [0.75, 0.25, 1.0]);
        assert_eq!(pairs.all().count(), 6);
        let doubtful: Vec<_> = pairs.most_doubtful().iter().map(|p| (p.first, p.second, p.share)).collect();
        assert_eq!(doubtful, [(0, 1, 0.75), (1, 2, 0.75), (0, 2, 1.0)]);
        let columns = ["a", "b", "c"].map(String::from);
        let text = serde_json::to_string(&WrittenPairs { pairs: &pairs, columns: &columns }).unwrap();
        assert_eq!(text, r#"{"a":{"b":0.75,"c":1.0},"b":{"a":0.25,"c":0.75},"c":{"a":0.0,"b":0.25}}"#);
        assert_eq!(OrderPairs::new(3, std::iter::empty()), None);
    }
}
