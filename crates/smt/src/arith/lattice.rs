//! Directions in which a polyhedron is thin.
//!
//! A polyhedron may be long and oblique and contain no integer point; then branching on variables follows it for
//! ever, and cuts come nowhere either. But in some direction it is so thin that few integers are possible there
//! (Lenstra 1983), and a basis of short vectors shows this direction (Krishnamoorthy and Pataki, *Column basis
//! reduction and decomposable knapsack problems*, 2009): with each form divided by the distance of its bounds, a unimodular
//! change of variables `x = U z` makes the columns short and nearly orthogonal (Lenstra, Lenstra and Lovász), and
//! the rows of the inverse of `U` are what to branch on, the last one first.
//!
//! Only scalar products matter, so the columns themselves are never written down. Real variables may take any
//! value: columns of integer variables are projected onto what is orthogonal to theirs.

use super::integer::IntegerCheck;
use super::{ArithVar, BoundKind, DeltaRat, Simplex};
use craig_base::OrderedSet;
use craig_num::{Int, Rat};

/// The number of splits after which directions are looked for.
const SPLITS_BEFORE_DIRECTIONS: u64 = 60;
/// More variables than that cost more than they are worth.
const MOST_VARIABLES: usize = 16;
/// Every variable counts as bounded, with a distance of this power of two, so that the columns are independent.
const ANYWHERE: u32 = 80;
/// Forms with one value count as if their bounds were this power of two apart, downwards.
const FIXED: u32 = 3;

impl Simplex {
    /// Splits a direction in which the integer variables that are bounded together with `var` have a fractional value.
    pub(super) fn thin_split(&mut self, var: ArithVar) -> Option<IntegerCheck> {
        if self.splits_made < SPLITS_BEFORE_DIRECTIONS {
            return None;
        }
        let (variables, products) = self.scalar_products(var)?;
        for direction in Basis::new(products).reduced().into_iter().rev() {
            let mut value = DeltaRat::ZERO;
            let mut terms = Vec::new();
            for (&var, coefficient) in variables.iter().zip(direction) {
                if !coefficient.is_zero() {
                    let coefficient = Rat::from_int(coefficient);
                    value.add_mul(&coefficient, &self.variables[var].value);
                    terms.push((var, coefficient));
                }
            }
            if !value.is_integer() {
                let var = self.form(&terms)?;
                return Some(IntegerCheck::Split { var, floor: value.floor(), first: BoundKind::Upper });
            }
        }
        None
    }

    /// The integer variables that forms with two bounds connect with `var`, and the scalar products of their
    /// columns in the scaled forms.
    fn scalar_products(&self, var: ArithVar) -> Option<(Vec<ArithVar>, Vec<Vec<Rat>>)> {
        let forms = self.bounded_together(var)?;
        let occurring: OrderedSet<ArithVar> =
            forms.iter().flat_map(|&form| self.terms_of(form)).map(|(var, _)| var).collect();
        let (integers, reals): (Vec<_>, Vec<_>) =
            occurring.into_iter().partition(|&var| self.variables[var].is_int);
        let variables = [&reals[..], &integers].concat();
        let mut products = vec![vec![Rat::ZERO; variables.len()]; variables.len()];
        for form in forms {
            let scale = self.squared_scale(form)?;
            let column = |var| variables.iter().position(|&other| other == var);
            let terms: Vec<(usize, Rat)> =
                self.terms_of(form).into_iter().filter_map(|(var, c)| Some((column(var)?, c))).collect();
            for (i, a) in &terms {
                for (j, b) in &terms {
                    products[*i][*j] += &(&scale * &(a * b));
                }
            }
        }
        for (i, row) in products.iter_mut().enumerate().skip(reals.len()) {
            row[i] += &Rat::new(Int::ONE, Int::pow2(2 * ANYWHERE));
        }
        for real in 0..reals.len() {
            project_out(&mut products, real);
        }
        let of_integers = |row: Vec<Rat>| row.into_iter().skip(reals.len()).collect();
        let products = products.into_iter().skip(reals.len()).map(of_integers).collect();
        Some((integers, products))
    }

    /// The forms with two bounds that share variables with `var`, directly or by way of others.
    fn bounded_together(&self, var: ArithVar) -> Option<OrderedSet<ArithVar>> {
        let bounded: Vec<_> = self
            .variables
            .enumerated()
            .filter(|(_, variable)| variable.lower.is_some() && variable.upper.is_some())
            .map(|(form, _)| (form, self.terms_of(form)))
            .collect();
        let (mut variables, mut forms) = (OrderedSet::default(), OrderedSet::default());
        variables.insert(var);
        loop {
            let before = variables.len();
            for (form, terms) in &bounded {
                if terms.iter().any(|(var, _)| variables.contains(var)) {
                    forms.insert(*form);
                    variables.extend(terms.iter().map(|(var, _)| *var));
                }
            }
            if variables.len() > MOST_VARIABLES {
                return None;
            }
            if variables.len() == before {
                return Some(forms);
            }
        }
    }

    /// One over the square of the distance of the bounds, up to a factor of four.
    fn squared_scale(&self, form: ArithVar) -> Option<Rat> {
        let variable = &self.variables[form];
        let (lower, upper) = (variable.lower.as_ref()?, variable.upper.as_ref()?);
        let distance = &upper.value.value - &lower.value.value;
        let mut scale = Rat::from_int(Int::pow2(2 * FIXED));
        let quarter = Rat::new(Int::ONE, Int::from(4));
        let mut covered = Rat::new(Int::ONE, Int::pow2(FIXED));
        let double = Rat::from(2);
        while covered < distance {
            covered *= &double;
            scale *= &quarter;
        }
        Some(scale)
    }
}

/// Makes all columns orthogonal to the one with this index.
fn project_out(products: &mut [Vec<Rat>], index: usize) {
    let along = products[index].clone();
    if along[index].is_zero() {
        return;
    }
    for row in products {
        let factor = -(&row[index] / &along[index]);
        if !factor.is_zero() {
            row.iter_mut().zip(&along).for_each(|(product, other)| product.add_mul(&factor, other));
        }
    }
}

/// A basis of a lattice by its Gram-Schmidt coefficients, and what the coordinates in it are of those in the first basis.
struct Basis {
    /// Below the diagonal.
    coefficients: Vec<Vec<Rat>>,
    /// The squares of the lengths of the orthogonal vectors.
    squares: Vec<Rat>,
    coordinates: Vec<Vec<Int>>,
}

impl Basis {
    /// From the scalar products of independent vectors.
    fn new(mut products: Vec<Vec<Rat>>) -> Basis {
        let n = products.len();
        let mut coefficients = vec![vec![Rat::ZERO; n]; n];
        let mut squares = Vec::with_capacity(n);
        for j in 0..n {
            let square = products[j][j].clone();
            for i in j + 1..n {
                coefficients[i][j] = &products[i][j] / &square;
            }
            project_out(&mut products, j);
            squares.push(square);
        }
        let unit = |i| (0..n).map(|j| if i == j { Int::ONE } else { Int::ZERO }).collect();
        Basis { coefficients, squares, coordinates: (0..n).map(unit).collect() }
    }

    /// The coordinates in a reduced basis of the same lattice (Cohen, *A course in computational algebraic number
    /// theory*, algorithm 2.6.3).
    fn reduced(mut self) -> Vec<Vec<Int>> {
        let mut k = 1;
        while k < self.squares.len() {
            self.shorten(k, k - 1);
            let slope = &self.coefficients[k][k - 1];
            let least = (Rat::new(Int::from(3), Int::from(4)) - slope * slope) * &self.squares[k - 1];
            if self.squares[k] < least {
                self.swap(k);
                k = (k - 1).max(1);
            } else {
                for j in (0..k - 1).rev() {
                    self.shorten(k, j);
                }
                k += 1;
            }
        }
        self.coordinates
    }

    /// Takes that multiple of vector `j` from vector `k` which makes it shortest.
    fn shorten(&mut self, k: usize, j: usize) {
        let half = Rat::new(Int::ONE, Int::from(2));
        let times = (&self.coefficients[k][j] + &half).floor();
        if times.is_zero() {
            return;
        }
        let factor = -Rat::from_int(times.clone());
        let (before, after) = self.coefficients.split_at_mut(k);
        for (own, other) in after[0].iter_mut().zip(&before[j][..j]) {
            own.add_mul(&factor, other);
        }
        after[0][j] += &factor;
        let from = self.coordinates[k].clone();
        for (own, other) in self.coordinates[j].iter_mut().zip(&from) {
            own.add_mul(&times, other);
        }
    }

    /// Exchanges vectors `k - 1` and `k`.
    fn swap(&mut self, k: usize) {
        self.coordinates.swap(k - 1, k);
        let (before, after) = self.coefficients.split_at_mut(k);
        before[k - 1][..k - 1].swap_with_slice(&mut after[0][..k - 1]);
        let slope = self.coefficients[k][k - 1].clone();
        let mut square = self.squares[k].clone();
        square.add_mul(&(&slope * &slope), &self.squares[k - 1]);
        let opposite = &(&slope * &self.squares[k - 1]) / &square;
        self.squares[k] = &(&self.squares[k - 1] * &self.squares[k]) / &square;
        self.squares[k - 1] = square;
        self.coefficients[k][k - 1] = opposite.clone();
        for row in &mut self.coefficients[k + 1..] {
            let upper = row[k].clone();
            row[k] = row[k - 1].clone() - &slope * &upper;
            row[k - 1] = upper + &opposite * &row[k];
        }
    }
}
