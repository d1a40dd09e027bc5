package dev.gatehouse.common.realm;

/**
 * The storage of persistent names of people and of links to partners' names.
 *
 * @param attribute the directory's attribute if {@code store} is {@link Store#DIRECTORY}
 */
public record FederationConfig(Store store, String attribute) {

  /** The database, which every node has. */
  public static final FederationConfig IN_DATABASE = new FederationConfig(Store.DATABASE, "gatehouseFederation");

  /** A storage for links. */
  public enum Store {
    DATABASE,
    /** An indexed attribute of the person's entry. */
    DIRECTORY
  }
}
