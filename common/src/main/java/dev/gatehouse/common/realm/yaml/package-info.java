/**
 * The language of the configuration: YAML without anchors, aliases and tags, whose keys are declared as data ({@code Section}, {@code
 * Key}, {@code Type}). Readers, messages about mistakes, the JSON Schema and the reference page use the declarations. It knows no key
 * of Gatehouse.
 */
@NullMarked
package dev.gatehouse.common.realm.yaml;

import org.jspecify.annotations.NullMarked;
