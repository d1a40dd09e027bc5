/**
 * What both kinds of session share: Session, its token, id and codec, and the contract SessionStore, whose forms live with
 * the other stores in {@link dev.gatehouse.common.store}.
 */
@NullMarked
package dev.gatehouse.common.session;

import org.jspecify.annotations.NullMarked;
