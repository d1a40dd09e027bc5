/**
 * Determines the local account of an assertion (persistent federation; SAML Profiles 4.5, SAML Technical Overview 5.4):
 * either the identity provider alone defines the account, or its name for the person is linked to a local account.
 * {@code common.federation} stores the links; this package decides who gets one, and has the page where people see and
 * remove theirs. Uses edge, login, nameid and session of this module.
 *
 * <p>A link is as powerful as a password: the owner of the remote account is the local person from then on. A link is
 * therefore created only for a login that this browser began, and only if the person proves the local account at the
 * same time, or if exactly one local person has a value that the identity provider may assert.
 */
@NullMarked
package dev.gatehouse.sp.link;

import org.jspecify.annotations.NullMarked;
