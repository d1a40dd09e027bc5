/**
 * AdminResource: what a module offers to administrators, without a web framework.
 */
@NullMarked
package dev.gatehouse.common.admin;

import org.jspecify.annotations.NullMarked;
