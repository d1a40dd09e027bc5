/**
 * {@code /admin/v1/decisions}: whether a person may request a URL, and why not.
 */
@NullMarked
package dev.gatehouse.gateway.admin.decision;

import org.jspecify.annotations.NullMarked;
