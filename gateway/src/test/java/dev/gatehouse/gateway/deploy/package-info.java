/** What the repository has for deployments is whole: image, Helm chart, systemd unit, Compose file and balancer. */
@NullMarked
package dev.gatehouse.gateway.deploy;

import org.jspecify.annotations.NullMarked;
