package writers

import "slices"

// A Writing is a step that sets fields through FieldSetter.
type Writing struct {
	By string
	// From is where the value is written, Key where its key is.
	From, Key []Point
	// Keeps: the value that was there is part of the new one. After is where the rest of it is from.
	Keeps bool
	After []Point
	// Derived are the marks of the nodes that the value is taken from.
	Derived []int32

	// Traces without anything before are the same for all fields.
	value, key Head
}

// Arm tells who is going to set fields, while Activate is in force. The returned function ends it.
func Arm(w *Writing) (end func()) {
	if now == nil {
		return disarm
	}
	now.armed = w
	return disarm
}

// ArmEach is Arm for fields that are written in places of their own: Choose says which one is next.
func ArmEach(w map[string]*Writing) (end func()) {
	if now != nil {
		now.each = w
	}
	return disarm
}

// Choose arms the writing of a field.
func Choose(key string) {
	if now != nil {
		now.armed = now.each[key]
	}
}

func disarm() {
	if now != nil {
		now.armed, now.each = nil, nil
	}
}

// Activate lets the armed writing sign the fields that are set until the returned function is called. Between its fields
// kustomize writes down its own affairs, which nobody is the writer of.
func Activate() (end func()) {
	if now == nil || now.armed == nil || active != nil {
		return nothing
	}
	active = now.armed
	return deactivate
}

func deactivate() { active = nil }
func nothing()    {}

// With lets a writing sign the fields that are set until the returned function is called.
func With(w *Writing) (end func()) {
	if now == nil {
		return func() {}
	}
	was := active
	active = w
	return func() { active = was }
}

// Active reports whether fields are being signed.
func Active() bool { return active != nil }

// Created signs a field that was not there.
func Created(key, value *Node) {
	w := active
	if w == nil {
		return
	}
	if w.key.Source == 0 {
		from := w.Key
		if from == nil {
			from = w.From
		}
		w.key = Keep(Trace{By: w.By, From: from})
	}
	Set(key, w.key)
	w.sign(value, Head{})
}

// Changed signs a node that was written over; was is a copy of it from before.
func Changed(n *Node, was Node) {
	w := active
	if w == nil {
		return
	}
	before := HeadOf(&was)
	if w.By == Reference && n.Value == was.Value {
		// A name that nobody changed is the one that was written here.
		Set(n, before)
		n.Mark, n.Lost = was.Mark, was.Lost
		return
	}
	if before == w.value && was.Value == "" {
		// It was created to be written.
		before = Head{}
	}
	if n.Lost = was.Lost; w.Keeps {
		n.Mark = was.Mark
	}
	w.sign(n, before)
}

func (w *Writing) sign(n *Node, before Head) {
	if before.Source == 0 {
		if w.value.Source == 0 {
			w.value = Keep(Trace{By: w.By, From: slices.Concat(w.From, w.After), Derived: w.Derived})
		}
		Set(n, w.value)
		return
	}
	t := Trace{By: w.By, From: w.From, Before: before}
	if w.Keeps {
		t = Compose(w.By, w.From, before, before)
	}
	t.From = union(t.From, w.After)
	t.Derived = slices.Concat(t.Derived, w.Derived)
	Set(n, Keep(t))
}

// ByActive reports whether it was the writing at work that wrote a node and found nothing there.
func ByActive(h Head) bool { return active != nil && h.Source != 0 && h == active.value }
