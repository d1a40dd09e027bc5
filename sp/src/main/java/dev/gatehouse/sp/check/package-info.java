/**
 * One class per rule of the Web Browser SSO profile (SAML Profiles 4.1.4, 4.1.5; Core 2.4, 2.5, 2.7, 3.2). All checks
 * except {@link ReplayCheck} are pure functions; {@link ResponseRules} lists them in the order in which they run. Uses
 * common only.
 */
@NullMarked
package dev.gatehouse.sp.check;

import org.jspecify.annotations.NullMarked;
