/**
 * The common part of both kinds of session: Session, its token and id, and the contract SessionStore, whose
 * implementations are with the other stores in {@link dev.gatehouse.common.store}.
 */
@NullMarked
package dev.gatehouse.common.session;

import org.jspecify.annotations.NullMarked;
