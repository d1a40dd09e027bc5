package dev.gatehouse.common.realm;

/**
 * Where persistent names of people and links to partners' names are kept.
 *
 * @param attribute the directory's attribute, where {@code store} is {@link Store#DIRECTORY}
 */
public record FederationConfig(Store store, String attribute) {

  /** The database, which every node has. */
  public static final FederationConfig IN_DATABASE = new FederationConfig(Store.DATABASE, "gatehouseFederation");

  /** A place for links. */
  public enum Store {
    DATABASE,
    /** An indexed attribute of the person's entry. */
    DIRECTORY
  }
}
