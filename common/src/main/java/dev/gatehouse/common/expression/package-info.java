/**
 * Expressions of policies in the Common Expression Language: compiled and type-checked when configuration is read, bounded in size
 * and work. The only package that uses CEL; it knows neither realms nor requests.
 */
@NullMarked
package dev.gatehouse.common.expression;

import org.jspecify.annotations.NullMarked;
