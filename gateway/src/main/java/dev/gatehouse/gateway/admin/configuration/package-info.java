/**
 * {@code /admin/v1/configuration}: the problems of the configuration, and its reload.
 */
@NullMarked
package dev.gatehouse.gateway.admin.configuration;

import org.jspecify.annotations.NullMarked;
