/** {@code /admin/v1/administrators}: the roles of people as administrators. Uses {@code gateway.admin.web}. */
@NullMarked
package dev.gatehouse.gateway.admin.administrator;

import org.jspecify.annotations.NullMarked;
