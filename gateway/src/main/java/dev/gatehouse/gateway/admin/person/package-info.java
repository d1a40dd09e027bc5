/**
 * What belongs to a person: {@code sessions}, {@code logouts}, {@code second-factors}, {@code app-secrets} and persistent names.
 */
@NullMarked
package dev.gatehouse.gateway.admin.person;

import org.jspecify.annotations.NullMarked;
