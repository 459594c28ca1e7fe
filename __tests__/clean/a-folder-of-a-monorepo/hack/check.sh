#!/bin/sh
exec kubeconform -schema-location schemas/ "$@"
