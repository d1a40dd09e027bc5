/**
 * AdminResource: resources of the modules for administrators, without a web framework.
 */
@NullMarked
package dev.gatehouse.common.admin;

import org.jspecify.annotations.NullMarked;
