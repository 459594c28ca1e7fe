package apiserver

import (
	"context"
	"fmt"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// This file is the strategy of custom resources (apiextensions-apiserver, pkg/registry/customresource) with the checks of
// metadata that the registry puts around it. CRDs with a scale subresource have no further checks here.

// prepareForCreate changes content in place.
func (v *version) prepareForCreate(content map[string]any) {
	if v.status {
		delete(content, "status")
	}
	meta(content).SetGeneration(1)
}

// prepareForUpdate changes next in place.
func (v *version) prepareForUpdate(next, old map[string]any) {
	if v.status {
		if status, ok := old["status"]; ok {
			next["status"] = status
		} else {
			delete(next, "status")
		}
	}
	if !apiequality.Semantic.DeepEqual(counted(next), counted(old)) {
		meta(next).SetGeneration(meta(old).GetGeneration() + 1)
	}
}

// counted is what a change of which is a new generation.
func counted(content map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range content {
		if key != "metadata" {
			out[key] = value
		}
	}
	return out
}

// prepareForStatus takes nothing but the status of next. It gives new content.
func prepareForStatus(next, old map[string]any) map[string]any {
	out := withMetadata(old)
	if status, ok := next["status"]; ok {
		out["status"] = status
	} else {
		delete(out, "status")
	}
	return out
}

func (v *version) validate(content map[string]any) error {
	u := meta(content)
	meta := field.NewPath("metadata")
	var errs field.ErrorList
	if v.structural != nil {
		if err := v.prepare(); err != nil {
			return err
		}
		if errs = v.validateType(content); len(errs) == 0 {
			errs = append(errs, metavalidation.ValidateObjectMetaAccessor(u, v.resource.namespaced, metavalidation.NameIsDNSSubdomain, meta)...)
			errs = append(errs, validation.ValidateCustomResource(nil, content, v.validator)...)
		}
		errs = append(errs, objectmeta.Validate(nil, content, v.structural, false)...)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, content)...)
		errs = v.judge(errs, content, nil)
	}
	if len(errs) == 0 {
		errs = metavalidation.ValidateObjectMetaAccessor(u, v.resource.namespaced, path.ValidatePathSegmentName, meta)
	}
	return v.invalid(u.GetName(), errs)
}

func (v *version) validateUpdate(next, old map[string]any, subresource string) error {
	u, before := meta(next), meta(old)
	meta := field.NewPath("metadata")
	errs := metavalidation.ValidateObjectMetaAccessor(u, v.resource.namespaced, path.ValidatePathSegmentName, meta)
	// The registry and the strategy both say it.
	changed := metavalidation.ValidateObjectMetaAccessorUpdate(u, before, meta)
	errs = append(errs, changed...)
	if v.structural != nil {
		if err := v.prepare(); err != nil {
			return err
		}
		correlated := common.NewCorrelatedObject(next, old, &model.Structural{Structural: v.structural})
		if wrong := v.validateType(next); len(wrong) > 0 {
			errs = append(errs, wrong...)
		} else {
			errs = append(errs, changed...)
			if subresource == "status" {
				if status, ok := next["status"]; ok {
					errs = append(errs, validation.ValidateCustomResourceUpdate(field.NewPath("status"), status, old["status"], v.statusValidator, validation.WithRatcheting(correlated.Key("status")))...)
				}
			} else {
				errs = append(errs, v.validateSchema(next, old, correlated)...)
			}
		}
		if subresource != "status" {
			errs = append(errs, objectmeta.Validate(nil, next, v.structural, false)...)
		}
		if len(listtype.ValidateListSetsAndMaps(nil, v.structural, old)) == 0 {
			errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, next)...)
		}
		errs = v.judge(errs, next, old, cel.WithRatcheting(correlated))
	} else {
		errs = append(errs, changed...)
	}
	return v.invalid(u.GetName(), errs)
}

// validateSchema passes over what was wrong before, and looks at that only where something is wrong: it takes longer.
func (v *version) validateSchema(next, old map[string]any, correlated *common.CorrelatedObject) field.ErrorList {
	if len(validation.ValidateCustomResource(nil, next, v.validator)) == 0 {
		return nil
	}
	return validation.ValidateCustomResourceUpdate(nil, next, old, v.validator, validation.WithRatcheting(correlated))
}

func (v *version) validateType(content map[string]any) field.ErrorList {
	var errs field.ErrorList
	u := meta(content)
	if kind := u.GetKind(); kind != v.resource.kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), kind, fmt.Sprintf("must be %v", v.resource.kind)))
	}
	if apiVersion := u.GetAPIVersion(); apiVersion != v.apiVersion {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), apiVersion, fmt.Sprintf("must be %v", v.apiVersion)))
	}
	return errs
}

// judge runs the rules of x-kubernetes-validations, unless something is so wrong that they cannot be run.
func (v *version) judge(errs field.ErrorList, next, old map[string]any, options ...cel.Option) field.ErrorList {
	if v.rules == nil {
		return errs
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(errs, field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"))
		}
	}
	var before any
	if old != nil {
		before = old
	}
	found, _ := v.rules.Validate(context.Background(), nil, v.structural, next, before, celconfig.RuntimeCELCostBudget, options...)
	return append(errs, found...)
}

// invalid sorts the errors, which come in the order of a Go map.
func (v *version) invalid(name string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	sort.SliceStable(errs, func(i, j int) bool {
		p, q := errs[i], errs[j]
		switch {
		case p.Field != q.Field:
			return p.Field < q.Field
		case p.Type != q.Type:
			return p.Type < q.Type
		}
		return p.ErrorBody() < q.ErrorBody()
	})
	return apierrors.NewInvalid(v.resource.groupKind(), name, errs)
}
