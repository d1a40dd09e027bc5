/**
 * The identity provider's messages that travel as artifacts (SAML Bindings 3.6, Profiles 5): the held messages and our
 * ArtifactResolutionService. {@code common.backchannel} implements artifacts and their resolution.
 */
@NullMarked
package dev.gatehouse.idp.saml.artifact;

import org.jspecify.annotations.NullMarked;
