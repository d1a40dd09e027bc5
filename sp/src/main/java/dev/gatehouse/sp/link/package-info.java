/**
 * Which local account an assertion means (persistent federation; SAML Profiles 4.5, SAML Technical Overview 5.4): nobody's
 * but the identity provider's own, or the one that its name of the person is linked to. The links themselves are {@code
 * common.federation}'s; here is who gets one, and the page where people see and end theirs. Uses edge, login, nameid and
 * session of this module.
 *
 * <p>A link is as good as a password: who holds the remote account is the local person from then on. So one is made only
 * for a login that this browser began, and either the person proves the local account in the same breath, or exactly one
 * local person has a value that the identity provider may speak of.
 */
@NullMarked
package dev.gatehouse.sp.link;

import org.jspecify.annotations.NullMarked;
