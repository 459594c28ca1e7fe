package resource

// Members are the resources that the set was made of, in their order.
func (s *IdSet) Members() []*Resource { return s.members }
