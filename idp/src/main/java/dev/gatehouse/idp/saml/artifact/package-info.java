/**
 * Messages of the identity provider's that travel as artifacts (SAML Bindings 3.6, Profiles 5): those that we hold, our
 * ArtifactResolutionService, and partners' artifacts. What an artifact is and how one is resolved is {@code
 * common.backchannel}'s.
 */
@NullMarked
package dev.gatehouse.idp.saml.artifact;

import org.jspecify.annotations.NullMarked;
