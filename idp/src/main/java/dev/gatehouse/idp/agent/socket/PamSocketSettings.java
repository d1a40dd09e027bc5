package dev.gatehouse.idp.agent.socket;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where programs of this host ask by a socket.
 *
 * @param group whose members may connect, too; otherwise only the agent's own user and root may
 * @param users who may ask beside root and the agent's own user, if it is not the group as a whole
 * @param language of what people read: en or de
 */
public record PamSocketSettings(Path path, Optional<String> group, Set<String> users, String language) {}
