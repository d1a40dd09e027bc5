/**
 * Themes of realms: {@code /admin/v1/realms/{realm}/theme}. A theme is the {@code brand} of the realm's file together with the files that it
 * names; it is tried out on sample pages, by the engine that makes the real ones, before it is stored as a revision.
 */
@NullMarked
package dev.gatehouse.gateway.admin.theme;

import org.jspecify.annotations.NullMarked;
