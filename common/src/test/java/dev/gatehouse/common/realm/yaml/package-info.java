/** Tests of the configuration in files: every key, every default, every kind of problem, and changes while running. */
@NullMarked
package dev.gatehouse.common.realm.yaml;

import org.jspecify.annotations.NullMarked;
