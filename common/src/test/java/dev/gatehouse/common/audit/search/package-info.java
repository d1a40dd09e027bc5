/** Tests of the index of audit events. */
@NullMarked
package dev.gatehouse.common.audit.search;

import org.jspecify.annotations.NullMarked;
