// Package metrics has the metrics of Kubernetes, and none of their values: nobody asks for them.
package metrics

import "context"

// StabilityLevel is how long a metric stays.
type StabilityLevel string

// The levels that the metrics here have.
const (
	INTERNAL StabilityLevel = "INTERNAL"
	ALPHA    StabilityLevel = "ALPHA"
	BETA     StabilityLevel = "BETA"
)

// CounterOpts describe a counter.
type CounterOpts struct {
	Namespace, Subsystem, Name, Help, DeprecatedVersion string
	StabilityLevel                                      StabilityLevel
}

// GaugeOpts describe a gauge.
type GaugeOpts CounterOpts

// HistogramOpts describe a histogram.
type HistogramOpts struct {
	Namespace, Subsystem, Name, Help, DeprecatedVersion string
	StabilityLevel                                      StabilityLevel
	Buckets                                             []float64
}

// ExponentialBuckets are of no use where nothing is counted.
func ExponentialBuckets(float64, float64, int) []float64 { return nil }

// A Registerable is a metric.
type Registerable interface{ isMetric() }

type metric struct{}

func (metric) isMetric() {}

// Reset does nothing.
func (metric) Reset() {}

// A Counter counts nothing.
type Counter struct{ metric }

// NewCounter makes one.
func NewCounter(*CounterOpts) *Counter { return &Counter{} }

// WithContext is the counter.
func (c *Counter) WithContext(context.Context) *Counter { return c }

// Inc does nothing.
func (*Counter) Inc() {}

// Add does nothing.
func (*Counter) Add(float64) {}

// A CounterVec is one counter for all labels.
type CounterVec struct{ metric }

// NewCounterVec makes one.
func NewCounterVec(*CounterOpts, []string) *CounterVec { return &CounterVec{} }

// WithContext is the vector.
func (c *CounterVec) WithContext(context.Context) *CounterVec { return c }

// WithLabelValues is a counter.
func (*CounterVec) WithLabelValues(...string) *Counter { return &Counter{} }

// A Gauge shows nothing.
type Gauge struct{ metric }

// Set does nothing.
func (*Gauge) Set(float64) {}

// A GaugeVec is one gauge for all labels.
type GaugeVec struct{ metric }

// NewGaugeVec makes one.
func NewGaugeVec(*GaugeOpts, []string) *GaugeVec { return &GaugeVec{} }

// WithContext is the vector.
func (g *GaugeVec) WithContext(context.Context) *GaugeVec { return g }

// WithLabelValues is a gauge.
func (*GaugeVec) WithLabelValues(...string) *Gauge { return &Gauge{} }

// A Histogram observes nothing.
type Histogram struct {
	metric
	*HistogramOpts
}

// NewHistogram makes one.
func NewHistogram(opts *HistogramOpts) *Histogram { return &Histogram{HistogramOpts: opts} }

// Observe does nothing.
func (*Histogram) Observe(float64) {}
